import { memo } from 'react';
import { encode } from 'uqr';

/** One path for all dark modules, each a unit square. */
const toPath = (data: boolean[][]): string =>
  data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');

/** Always black on white, which cameras read best. */
export const QrCode = memo(({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={toPath(data)} fill="#000000" />
    </svg>
  );
});
