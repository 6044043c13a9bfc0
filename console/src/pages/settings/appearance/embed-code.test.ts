import { expect, it } from 'vitest';
import { writeEmbedCode } from './embed-code.ts';

it('is one line for every page, with the group when it is not everybody', () => {
  expect(writeEmbedCode('https://chat.example', 'a-b-c', 0)).toBe(
    '<script async src="https://chat.example/widget.js" data-organization="a-b-c"></script>',
  );
  expect(writeEmbedCode('https://chat.example', 'a-b-c', 4)).toContain(' data-group="4"');
});
