/** Where a value stands on a drawing, in units of its view box, to a tenth. */
export type Scale = (value: number) => number

export function linearScale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  return (value) => Math.round((start + ((value - from) / (to - from)) * (end - start)) * 10) / 10
}
