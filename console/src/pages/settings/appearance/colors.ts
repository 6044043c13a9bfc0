/** Relative luminance as defined by WCAG. */
const luminance = (hex: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** White or black, whichever has more contrast. */
export const textColorOn = (hex: string): '#ffffff' | '#000000' => {
  if (!isColor(hex)) return '#ffffff';
  const light = luminance(hex);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000';
};
