/** Of the line with the least squares through the points; 0 for fewer than two. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const meanOf = (axis: 0 | 1) => points.reduce((total, point) => total + point[axis], 0) / points.length
  const [meanX, meanY] = [meanOf(0), meanOf(1)]
  const spread = points.reduce((total, [x]) => total + (x - meanX) ** 2, 0)
  return spread > 0 ? points.reduce((total, [x, y]) => total + (x - meanX) * (y - meanY), 0) / spread : 0
}
