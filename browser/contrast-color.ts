/** Readable text color for a background: white as long as its contrast suffices, otherwise black. */
export const contrastColor = (color: string): string => {
  const light = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * light[0]! + 0.7152 * light[1]! + 0.0722 * light[2]! > 0.18 ? '#000' : '#fff';
};
