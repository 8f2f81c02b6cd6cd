import { toEventSelector } from 'viem'
import { ok, type Reply } from '../reply.ts'
import { blockAt, type View } from './rows.ts'

const APPROVAL = toEventSelector('Approval(address,address,uint256)')
const TOPIC_ADDRESS = /^0x0{24}([0-9a-f]{40})$/
const ADDRESS = /^0x[0-9a-f]{40}$/

/** `/api?module=…`: answers 200 whatever is asked, with numbers in hexadecimal for logs and in decimal elsewhere. */
export function olderApi({ people }: View, query: URLSearchParams): Reply {
  const action = `${query.get('module')}/${query.get('action')}`
  if (action === 'logs/getLogs') return approvalLogs(people, query)
  if (action === 'account/txlist') return firstTransactions(people, query)
  return failure('Unknown action')
}

/** Whom a request is about. */
export function ownerIn(query: URLSearchParams): string | undefined {
  const [, owner] = TOPIC_ADDRESS.exec((query.get('topic1') ?? '').toLowerCase()) ?? []
  if (owner !== undefined) return `0x${owner}`
  const address = (query.get('address') ?? '').toLowerCase()
  return ADDRESS.test(address) ? address : undefined
}

function approvalLogs(people: View['people'], query: URLSearchParams): Reply {
  const [, owner] = TOPIC_ADDRESS.exec((query.get('topic1') ?? '').toLowerCase()) ?? []
  if (query.get('topic0') !== APPROVAL || owner === undefined) return failure('Required query parameters')
  const approvals = people.wallet(`0x${owner}`)?.approvals ?? []
  const rows = approvals
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ token, spender, amount, atMs }, i) => ({
      address: token,
      blockNumber: hex(blockAt(atMs)),
      data: `0x${amount.toString(16).padStart(64, '0')}`,
      gasPrice: '0xf4240',
      gasUsed: '0xb5a9',
      logIndex: hex(i),
      timeStamp: hex(Math.floor(atMs / 1_000)),
      topics: [APPROVAL, `0x${'0'.repeat(24)}${owner}`, `0x${'0'.repeat(24)}${spender.slice(2)}`, null],
      transactionHash: `0x${(BigInt(token) + BigInt(atMs)).toString(16).padStart(64, '0')}`,
      transactionIndex: '0x1',
    }))
  return success(rows, 'No logs found')
}

function firstTransactions(people: View['people'], query: URLSearchParams): Reply {
  const address = (query.get('address') ?? '').toLowerCase()
  if (!ADDRESS.test(address)) return failure('Invalid address format')
  const wallet = people.wallet(address)
  if (!wallet || wallet.transactions === 0) return success([], 'No transactions found')
  const timeStamp = String(Math.floor(wallet.firstSeenMs / 1_000))
  const blockNumber = String(blockAt(wallet.firstSeenMs))
  const row = { blockNumber, from: address, to: address, isError: '0', nonce: '0', timeStamp, value: '0' }
  return success([row], 'No transactions found')
}

const hex = (value: number) => `0x${value.toString(16)}`
const success = (result: readonly unknown[], none: string) =>
  ok(result.length > 0 ? { message: 'OK', result, status: '1' } : { message: none, result: [], status: '0' })
const failure = (message: string) => ok({ message, result: null, status: '0' })
