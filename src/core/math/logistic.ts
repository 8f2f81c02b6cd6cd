export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

export function logitOf(probability: number): number {
  return Math.log(probability / (1 - probability))
}
