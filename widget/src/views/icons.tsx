/** @jsxImportSource preact */
const shapes = {
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M5 9l7 7 7-7',
  back: 'M15 5l-7 7 7 7',
  menu: 'M12 5h.01M12 12h.01M12 19h.01',
  send: 'M4 12L20 4l-4 16-4-7-8-1z',
  attach:
    'M20 11l-8.500 8.500a5 5 0 0 1-7-7L13 4a3.400 3.400 0 0 1 4.800 4.800l-8.500 8.500a1.700 1.700 0 0 1-2.400-2.400L14.500 7.300',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  good: 'M7 11v9H4v-9zM7 11l4-7a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2.300l-1 6A2 2 0 0 1 17 20H7',
  bad: 'M17 13V4h3v9zM17 13l-4 7a2 2 0 0 1-2-2v-4H6a2 2 0 0 1-2-2.300l1-6A2 2 0 0 1 7 4h10',
  smile: 'M12 3a9 9 0 1 0 .01 0M8.500 14.500a4.500 4.500 0 0 0 7 0M9 9.500h.01M15 9.500h.01',
};

/** Hidden from screen readers: the surrounding element carries the label. */
export const Icon = ({ name }: { name: keyof typeof shapes }) => (
  <svg class={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
);
