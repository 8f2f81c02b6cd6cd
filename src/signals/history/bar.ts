/** A closed minute of one coin, as the models see it. It is known from `openMs` plus one minute on. */
export type Bar = {
  openMs: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}
