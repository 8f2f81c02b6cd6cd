/** Making one takes far longer than using it. */
const format = new Intl.NumberFormat('en-US')

/** `1 call`, `2 calls`, `1,200 calls`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${format.format(count)} ${count === 1 ? one : many}`
}
