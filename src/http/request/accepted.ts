/** The media type that a caller wants most; `*` and absence mean no wish, an equal wish the one named earlier. */
export function findAccepted(offered: readonly string[], accept: string | undefined): string | undefined {
  let best: { type: string; weight: number } | undefined
  for (const wish of (accept ?? '').split(',')) {
    const [range = '', ...options] = wish.split(';').map((part) => part.trim().toLowerCase())
    const weight = Number(options.find((option) => option.startsWith('q='))?.slice(2) ?? 1)
    const type = offered.find((each) => each === range)
    if (type !== undefined && weight > (best?.weight ?? 0)) best = { type, weight }
  }
  return best?.type
}
