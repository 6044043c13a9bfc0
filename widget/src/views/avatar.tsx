/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { isWebUrl } from '#browser/find-links.ts';
import { Icon } from './icons.tsx';

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

/** An image, or initials when there is none or the page's policy blocks it. */
export const Avatar = ({ name, address }: { name: string; address: string | undefined }) => {
  const [failed, setFailed] = useState('');
  const shown = isWebUrl(address) && failed !== address ? address : undefined;
  return (
    <span class="avatar" aria-hidden="true">
      {shown ? <img src={shown} alt="" onError={() => setFailed(shown)} /> : initialsOf(name) || <Icon name="smile" />}
    </span>
  );
};
