import { randomBytes } from 'node:crypto'

const LEDGER_ID_BYTES = 16

export const newLedgerId = (): string => randomBytes(LEDGER_ID_BYTES).toString('hex')
