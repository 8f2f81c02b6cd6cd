import { type OutsideWorld, openOutsideWorld } from '../../src/app/outside-world.ts'
import { readConfig } from '../../src/config/config.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { openSandboxKeys } from '../../src/sandbox/keys.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { keyPayer, requirementsOf, solanaPayer } from '../../src/testing/sandbox/payers.ts'

/** The outside world of a process that serves beside others. */
export const join = (dataDir: string, env: Record<string, string> = {}): Promise<OutsideWorld> =>
  openOutsideWorld(
    { ...readConfig({ TOLLBOOK_DATA_DIR: dataDir, ...env }), role: 'api' },
    systemClock,
    silentLog,
  )

/** Pays 0.012 dollars of a fresh wallet with a stock client; what the facilitator said, and what the wallet lost. */
export async function pay({ money }: OutsideWorld, dataDir: string, network: 'evm' | 'svm') {
  const wallet = await money.wallets?.fresh()
  const keys = network === 'evm' ? wallet?.evm : wallet?.solana
  const [member] = money.facilitators
  if (!keys || !member) throw new Error(`nothing can be paid with on ${network}`)
  const payer =
    'private_key' in keys ? keyPayer(keys.private_key) : await solanaPayer(keys.secret_key, keys.rpc_url)
  const holding = { address: keys.address, rpcUrl: money.rpc[network][0] ?? '' }
  const before = await moneyOf(holding)
  const [payload, requirements] = await payer.pay(requirementsOf(openSandboxKeys(dataDir))[network])
  const request = {
    x402Version: 2,
    paymentPayload: payload as unknown as Record<string, unknown>,
    paymentRequirements: requirements as Parameters<typeof member.settle>[0]['paymentRequirements'],
  } as const
  const patient = new AbortController().signal
  const verified = await member.verify(request, patient)
  const settled = await member.settle(request, patient)
  return { verified, settled, funded: before, paid: before - (await moneyOf(holding)), holding }
}
