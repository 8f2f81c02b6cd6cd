import { AUTHORIZATION_USED, type Expected, type Log } from '../../payments/chain/evm/logs.ts'

export const word = (digit: number) => `0x${String(digit).repeat(64)}` as const

/** What the logs of one authorization must show. */
export const expectedUse: Expected = {
  token: `0x${'aa'.repeat(20)}`,
  payer: `0x${'1'.repeat(40)}`,
  payerTopic: word(1),
  payToTopic: word(2),
  nonce: word(3),
  amount: 1_000n,
  validBeforeS: 0,
}

/** Of the token, in one transaction; that it was used where nothing else is said. */
export const tokenLog = (changes: Partial<Log> = {}): Log => ({
  address: expectedUse.token,
  topics: [AUTHORIZATION_USED, word(1), word(3)],
  data: '0x',
  blockNumber: 1,
  logIndex: 0,
  transactionHash: word(4),
  ...changes,
})
