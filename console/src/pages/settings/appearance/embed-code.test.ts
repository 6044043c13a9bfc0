import { expect, it } from 'vitest';
import { writeEmbedCode } from './embed-code.ts';

it('writes one script tag, with the group unless it is the default', () => {
  expect(writeEmbedCode('https://chat.example', 'a-b-c', 0)).toBe(
    '<script async src="https://chat.example/widget.js" data-organization="a-b-c"></script>',
  );
  expect(writeEmbedCode('https://chat.example', 'a-b-c', 4)).toContain(' data-group="4"');
});
