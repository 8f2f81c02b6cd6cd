/** A table for people; columns are as wide as what stands in them. */
export function toTable(lines: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const line of lines)
    line.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length)
    })
  const toText = (line: readonly string[]) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return `${lines.map(toText).join('\n')}\n`
}

/** To the second, in UTC. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
