type Points = readonly (readonly [x: number, y: number])[]

/** Beyond it the points say nothing of how far they wander. */
const MOST_ALIKE = 0.95

/**
 * Of the line with the least squares through the points, and its standard error; 0 for fewer than two. Samples that
 * follow each other are alike, so there is less in them than their number tells: the error is as much larger as it is
 * for noise that remembers its last value (an AR(1) process).
 */
export function slopeOf(points: Points): { slope: number; error: number } {
  const meanOf = (axis: 0 | 1) => points.reduce((total, point) => total + point[axis], 0) / points.length
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  const spread = points.reduce((total, [x]) => total + (x - meanX) ** 2, 0)
  if (!(spread > 0)) return { slope: 0, error: 0 }
  const slope = points.reduce((total, [x, y]) => total + (x - meanX) * (y - meanY), 0) / spread
  const missed = points.map(([x, y]) => y - meanY - slope * (x - meanX))
  const squares = missed.reduce((total, miss) => total + miss ** 2, 0)
  const plain = points.length > 2 ? Math.sqrt(squares / (points.length - 2) / spread) : 0
  const alike = likeness(missed, squares)
  return { slope, error: plain * Math.sqrt((1 + alike) / (1 - alike)) }
}

/** How much of a value is that of the one before: 0 for none, or the opposite of it. */
function likeness(missed: readonly number[], squares: number): number {
  if (squares === 0) return 0
  const products = missed.slice(1).reduce((total, miss, at) => total + miss * (missed[at] ?? 0), 0)
  return Math.min(Math.max(products / squares, 0), MOST_ALIKE)
}
