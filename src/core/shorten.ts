const HEAD_CHARS = 6
const TAIL_CHARS = 4

/** An address as it may stand in public, `0x1234…abcd`: enough to recognize one's own, too little to use. */
export function shorten(text: string): string {
  return `${text.slice(0, HEAD_CHARS)}…${text.slice(-TAIL_CHARS)}`
}
