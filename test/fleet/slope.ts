type Points = readonly (readonly [x: number, y: number])[]

/** Of the line with the least squares through the points, and its standard error; 0 for fewer than two. */
export function slopeOf(points: Points): { slope: number; error: number } {
  const meanOf = (axis: 0 | 1) => points.reduce((total, point) => total + point[axis], 0) / points.length
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  const spread = points.reduce((total, [x]) => total + (x - meanX) ** 2, 0)
  if (!(spread > 0)) return { slope: 0, error: 0 }
  const slope = points.reduce((total, [x, y]) => total + (x - meanX) * (y - meanY), 0) / spread
  const missed = points.reduce((total, [x, y]) => total + (y - meanY - slope * (x - meanX)) ** 2, 0)
  const error = points.length > 2 ? Math.sqrt(missed / (points.length - 2) / spread) : 0
  return { slope, error }
}
