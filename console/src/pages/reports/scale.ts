/** Round axis ticks from 0 to at least the maximum. */
export const ticksOf = (greatest: number, most = 4): number[] => {
  if (!(greatest > 0)) return [0, 1];
  const raw = greatest / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= raw)!;
  const ticks: number[] = [];
  for (let index = 0; ticks.at(-1) === undefined || ticks.at(-1)! < greatest; index++)
    ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
};

/** Integer ticks, for counts. */
export const wholeTicksOf = (greatest: number): number[] => {
  const ticks = ticksOf(greatest).filter(Number.isInteger);
  return ticks.length > 1 ? ticks : [0, Math.max(1, Math.ceil(greatest))];
};

/** Shows every nth label so that they fit. */
export const labelEvery = (count: number, width: number, room: number): number =>
  Math.max(1, Math.ceil((count * room) / Math.max(width, room)));
