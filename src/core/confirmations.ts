import { type Usd, usd } from './money.ts'

/** From this price on a payment must be under so many blocks, its own among them. */
export type ConfirmationStep = { from: Usd; blocks: number }

const STEP = /^([1-9]\d{0,2})(?:@(\d{1,6}(?:\.\d{1,6})?))?$/

/** `1,3@0.50` is one block, and three from half a dollar on. Undefined for any other text. */
export function findConfirmations(text: string): readonly ConfirmationStep[] | undefined {
  const steps = text.split(',').map((part) => STEP.exec(part.trim()))
  if (!steps.every((step) => step !== null)) return undefined
  return steps.map(([, blocks, from = '0']) => ({ from: usd(from), blocks: Number(blocks) }))
}

/** The deepest step that the amount reaches; one block where it reaches none. */
export function blocksFor(steps: readonly ConfirmationStep[], amount: bigint): number {
  return Math.max(1, ...steps.filter(({ from }) => amount >= from).map(({ blocks }) => blocks))
}
