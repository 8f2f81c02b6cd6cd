import type { Config } from '../../config/config.ts'
import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import { secret } from '../../core/secret.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { LoadLimits } from '../../payments/facilitators/load.ts'
import { createHttpMember } from '../../payments/facilitators/members/http-member.ts'
import { openPredictionKey, openSandboxKeys } from '../../sandbox/keys.ts'
import type { PredictionAccount } from '../../sandbox/open-trading.ts'
import { findSandboxExchange } from '../../sandbox/tokens/wallets/exchange-wallets.ts'
import { askWorldId, createRemoteWallets } from '../../sandbox/world/world-client.ts'
import {
  findWorldFile,
  type WorldFacts,
  type WorldVenues,
  worldPath,
} from '../../sandbox/world/world-file.ts'
import { hasOwnChains, openPaymentRails, type PaymentRails } from '../payment-rails.ts'

/** The outside world of a process that shares the sandbox of its data directory with others. */
export async function joinSandboxWorld(config: Config, clock: Clock, log: Log) {
  const world = needsNothing(config) ? undefined : await findWorld(config)
  const money = await openPaymentRails(config, clock, log, async () => joinMoney(config, world))
  const venues = world?.venues
  return {
    upstreams: { ...config.upstreams, ...venues?.upstreams },
    oracleKeys: venues ? toOracleKeys(venues) : config.clob,
    money,
    prediction: venues && findAccount(config.dataDir, venues),
    findExchange: venues && findSandboxExchange(),
    close: money.close,
  }
}

/** Real venues, and chains that somebody else runs. */
const needsNothing = (config: Config) => config.mode !== 'sandbox' && hasOwnChains(config)

async function findWorld(config: Config): Promise<WorldFacts> {
  const { dataDir, mode, sandboxSeed } = config
  const world = findWorldFile(dataDir)
  if (!world)
    throw new Error(
      `no sandbox runs on ${dataDir}, ${worldPath(dataDir)} is missing: start ./tollbook sandbox with the same settings and wait for its ready line`,
    )
  await untilItAnswers(world, dataDir)
  if (world.mode !== mode)
    throw new Error(
      `the sandbox on ${dataDir} runs in ${world.mode} mode, and this process in ${mode} mode: set TOLLBOOK_MODE to the same for both`,
    )
  if (world.venues && world.venues.seed !== sandboxSeed)
    throw new Error(
      `the sandbox on ${dataDir} has the seed ${world.venues.seed}, and this process ${sandboxSeed}: set TOLLBOOK_SANDBOX_SEED to the same for both`,
    )
  return world
}

async function untilItAnswers({ id, pid, world_url: url }: WorldFacts, dataDir: string): Promise<void> {
  const answered = await askWorldId(url).catch((cause: unknown) => {
    throw new Error(
      `the sandbox on ${dataDir} (process ${pid}) does not answer at ${url} (${describeError(cause)}): start ./tollbook sandbox again`,
      { cause },
    )
  })
  if (answered !== id)
    throw new Error(
      `another sandbox than that of ${worldPath(dataDir)} answers at ${url}: wait for the ready line of ./tollbook sandbox, then start again`,
    )
}

/** A local facilitator bears far more than a public one. The bounds keep within the connections that it takes. */
const LIMITS: LoadLimits = { inFlight: 256, burst: 5_000, perSecond: 5_000 }

function joinMoney({ dataDir }: Config, world: WorldFacts | undefined): PaymentRails {
  if (!world?.money)
    throw new Error(
      `the sandbox on ${dataDir} runs no chains, because it was started with nodes of its own: set TOLLBOOK_EVM_RPC_URL and TOLLBOOK_SVM_RPC_URL to the same for both`,
    )
  const { pay_to, rpc, facilitator_url } = world.money
  const own = openSandboxKeys(dataDir)
  if (pay_to.svm !== own.svm.address || (pay_to.evm ?? own.evm) !== own.evm)
    throw new Error(
      `the keys in ${dataDir} are not those that the sandbox was started with: start ./tollbook sandbox again`,
    )
  const member = { ...createHttpMember({ url: facilitator_url }), limits: { verify: LIMITS, settle: LIMITS } }
  return {
    payTo: { evm: pay_to.evm, svm: pay_to.svm },
    rpc,
    chain: undefined,
    facilitators: [member],
    wallets: createRemoteWallets(world.world_url),
    close: async () => {},
  }
}

function toOracleKeys({ oracle }: WorldVenues) {
  return {
    apiKey: secret(oracle.api_key),
    secret: secret(oracle.secret),
    passphrase: secret(oracle.passphrase),
  }
}

function findAccount(dataDir: string, { prediction }: WorldVenues): PredictionAccount | undefined {
  if (!prediction) return undefined
  const { wallet, relayer } = prediction
  const relayerKey = { apiKey: secret(relayer.api_key), address: relayer.address }
  return { wallet, ownerKey: openPredictionKey(dataDir), relayerKey }
}
