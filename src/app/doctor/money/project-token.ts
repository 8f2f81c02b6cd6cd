import { createProjectToken } from '../../../access/wallet/project-token.ts'
import type { Config } from '../../../config/config.ts'
import { describeError } from '../../../core/describe-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { createJsonRpc } from '../../../payments/chain/json-rpc.ts'
import { projectTokenOf } from '../../project-token-of.ts'
import { type Check, failure, ok, skipped } from '../check.ts'

const VARIABLE = 'TOLLBOOK_PROJECT_TOKEN'
const CORRECT = `set ${VARIABLE} to the address of the token on Base, or leave it out: there is then no sign-in for holders`

type Input = {
  config: Pick<Config, 'mode' | 'projectToken' | 'chains'>
  clock: Clock
  timeoutMs: number
}

/** That the token whose holders sign in is one: without its decimals and balances nobody gets in. */
export function projectTokenCheck({ config, clock, timeoutMs }: Input): Check {
  return {
    name: 'project-token',
    group: 'money',
    advice: 'see what is said of base-node: holders cannot sign in while the node does not answer',
    async run() {
      const address = projectTokenOf(config)
      const [rpcUrl] = config.chains.evmRpcUrls
      if (address === undefined) return skipped(`${VARIABLE} is not set: there is no sign-in for holders`)
      if (rpcUrl === undefined)
        return failure(
          `${VARIABLE} is set, and there is no node of Base to ask what a wallet holds`,
          'set TOLLBOOK_EVM_RPC_URL',
        )
      const rpc = createJsonRpc({ rpcUrl, timeoutMs })
      const code = await rpc.call('eth_getCode', [address, 'latest'])
      if (code === '0x') return failure(`there is no contract at ${address}`, CORRECT)
      const token = createProjectToken({ address, rpc, clock, random: Math.random })
      try {
        // Some contracts have no answer for the address zero.
        const { decimals } = await token.balanceNow(address)
        return ok(`${address} tells balances, with ${decimals} decimals`)
      } catch (error) {
        return failure(`${address} tells no decimals or no balances: ${describeError(error)}`, CORRECT)
      }
    },
  }
}
