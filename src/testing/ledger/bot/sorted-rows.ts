/** How many rows at the front of a sorted list are before what is looked for; by bisection. */
export function countBefore<T>(sorted: readonly T[], isBefore: (row: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(sorted[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}

/** Keeps the list sorted; rows mostly come in order, so this is mostly a push. */
export function insertSorted<T>(sorted: T[], row: T, isBefore: (a: T, b: T) => boolean): void {
  const newest = sorted.at(-1)
  if (newest === undefined || isBefore(newest, row)) sorted.push(row)
  else
    sorted.splice(
      countBefore(sorted, (each) => isBefore(each, row)),
      0,
      row,
    )
}

/** The page of a list that starts at its newest row. */
export function newestFirst<T>(rows: readonly T[], limit: number, offset = 0): T[] {
  const end = Math.max(0, rows.length - offset)
  return rows.slice(Math.max(0, end - limit), end).reverse()
}
