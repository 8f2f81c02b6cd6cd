import { type Mutant, mutant } from './mutant.ts'

const REFEREE = 'payments/chain/evm/chain.ts'
const LOGS = 'payments/chain/evm/logs.ts'
const SEARCH = 'payments/chain/evm/find-use.ts'
const AGREE = 'payments/chain/nodes/agree.ts'
const NODE = 'payments/chain/nodes/chain-node.ts'
const BATCHES = 'payments/chain/nodes/batch-memory.ts'

/** In what the chain is asked, and of which node. */
export const CHAIN_MUTANTS: readonly Mutant[] = [
  mutant('what is announced for the next block counts', [
    REFEREE,
    'blockNumber <= head && head - blockNumber + 1 >= confirmations',
    'blockNumber > head || head - blockNumber + 1 >= confirmations',
  ]),
  mutant('a payment counts with one block less', [
    REFEREE,
    'head - blockNumber + 1 >= confirmations',
    'head - blockNumber + 2 >= confirmations',
  ]),
  mutant('a named transaction needs no blocks above it', [
    REFEREE,
    'return isDeep(receipt.blockNumber, head, confirmations)',
    'return isDeep(receipt.blockNumber, head, 1)',
  ]),
  mutant('dead a little before its time is over', [REFEREE, 'DEAD_MARGIN_S = 20', 'DEAD_MARGIN_S = -10']),
  mutant('an authorization that was used is dead', [
    REFEREE,
    'const use = await findUse(expected, latest, claimedAtMs)',
    "const use = await findUse(expected, latest, claimedAtMs).catch(() => undefined)\n    if (!use) return { kind: 'dead' }",
  ]),
  mutant(
    'the search begins after the claim',
    [SEARCH, 'CLAIM_MARGIN_S = 20', 'CLAIM_MARGIN_S = -3600'],
    [SEARCH, 'SEARCH_BACK_S = 1_800', 'SEARCH_BACK_S = -3600'],
  ),
  mutant('a named transaction is believed', [
    REFEREE,
    'if (!receipt || !isPaidBy(receipt, expected)) return undefined',
    'if (!receipt) return undefined',
  ]),
  mutant('a receipt pays whatever failed', [
    LOGS,
    'if (receipt?.status !== 1) return false',
    'if (!receipt?.logs[0]) return !!receipt',
  ]),
  mutant('one node is enough to call a payment dead', [
    AGREE,
    "if (outcome.kind !== 'dead' || others.length === 0) return outcome",
    'if (nodes.all.length > 0) return outcome',
  ]),
  mutant('a node that does not answer agrees', [
    AGREE,
    'if (dead.length === 0 || dead.length < others.length)',
    'if (dead.length < others.length)',
  ]),
  mutant('one bad answer to a batch, and two machines are taken for one', [
    BATCHES,
    'error.status !== undefined && hasTaken(calls.length)',
    'error.status === 1',
  ]),
  mutant('a node in trouble never gets out of it', [NODE, 'trouble = undefined\n', '\n']),
  mutant(
    'a node that failed has answered',
    [
      NODE,
      'const result = await run()\n      answeredAtMs = clock.now()',
      'answeredAtMs = clock.now() + 60_000\n      const result = await run()',
    ],
    [NODE, 'answeredAtMs = undefined\n    isOurs = false', 'void 0'],
  ),
]
