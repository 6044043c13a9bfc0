/** The colour of a text that can be read on another colour: white as long as it has the contrast that is asked for. */
export const inkOn = (colour: string): string => {
  const light = [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * light[0]! + 0.7152 * light[1]! + 0.0722 * light[2]! > 0.18 ? '#000' : '#fff';
};
