import { existsSync, readFileSync, renameSync } from 'node:fs'
import { z } from 'zod'
import { writePrivateFile } from '../../../core/private-file.ts'

/** Each block costs 2 KB in the file and 13 KB in memory, and anvil never drops one by itself. */
const KEPT_BLOCKS = 500
const TRIM_FROM_BLOCKS = 2_000

const AnvilState = z.looseObject({
  best_block_number: z.int(),
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: z.string() }) })),
  transactions: z.array(z.looseObject({ block_number: z.int() })),
})

/**
 * Drops old blocks and their transactions before anvil loads the file; accounts and balances stay.
 * A file that is cut off, because anvil was killed while writing it, is set aside and the chain starts empty.
 */
export function prepareState(stateFile: string): 'absent' | 'kept' | 'trimmed' | 'damaged' {
  if (!existsSync(stateFile)) return 'absent'
  const state = readState(stateFile)
  if (!state) {
    renameSync(stateFile, `${stateFile}.damaged`)
    return 'damaged'
  }
  if (state.blocks.length < TRIM_FROM_BLOCKS) return 'kept'
  const from = state.best_block_number - KEPT_BLOCKS
  const blocks = state.blocks.filter(({ header }) => Number(header.number) > from)
  const transactions = state.transactions.filter(({ block_number }) => block_number > from)
  writePrivateFile(stateFile, JSON.stringify({ ...state, blocks, transactions }))
  return 'trimmed'
}

/** Whether a start would go on with it. Writes nothing. */
export const isStateReadable = (stateFile: string): boolean => readState(stateFile) !== undefined

function readState(stateFile: string): z.infer<typeof AnvilState> | undefined {
  try {
    return AnvilState.parse(JSON.parse(readFileSync(stateFile, 'utf8')))
  } catch {
    return undefined
  }
}
