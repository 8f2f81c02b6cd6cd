import { expect, test } from 'vitest'
import { toSvmError } from './error.ts'

const failed = (err: string) =>
  `FailedTransactionMetadata(FailedTransactionMetadata { err: ${err}, meta: Meta { } })`

test.each([
  ['AlreadyProcessed', 'AlreadyProcessed'],
  ['InstructionError(2, Custom(1))', { InstructionError: [2, { Custom: 1 }] }],
  ['InstructionError(0, InvalidAccountData)', { InstructionError: [0, 'InvalidAccountData'] }],
])('%s', (text, error) => {
  expect(toSvmError({ toString: () => failed(text) })).toEqual(error)
})
