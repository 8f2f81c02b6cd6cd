import type { Config } from '../../config/config.ts'
import { isPlayMoney } from '../../config/variables/variable.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { OpenSocket } from '../../feeds/open-socket.ts'
import { hasOwnChains } from '../payment-rails.ts'
import { botSwitchesCheck } from './bot-switches.ts'
import type { Check } from './check.ts'
import { futuresChecks } from './intelligence/futures.ts'
import { directoryChecks, sentimentChecks, whaleChecks } from './intelligence/market-sources.ts'
import { tokenChecks } from './intelligence/token-sources.ts'
import { writerCheck } from './intelligence/writer.ts'
import { backupsCheck } from './machine/backups.ts'
import { dataDirectoryCheck } from './machine/data-directory.ts'
import { databaseCheck } from './machine/database.ts'
import { diskCheck, type FreeBytes } from './machine/disk.ts'
import { durabilityCheck } from './machine/durability.ts'
import { enginesCheck } from './machine/engines.ts'
import { ledgerCheck } from './machine/ledger.ts'
import { privateFilesCheck } from './machine/private-files.ts'
import { redisCheck } from './machine/redis.ts'
import { serviceCheck } from './machine/service.ts'
import { serviceKeyCheck } from './machine/service-key.ts'
import { tokenKeysCheck } from './machine/token-keys.ts'
import { evmNodeCheck } from './money/evm-node.ts'
import { facilitatorCheck, NO_FACILITATOR } from './money/facilitator.ts'
import { projectTokenCheck } from './money/project-token.ts'
import { svmNodeCheck } from './money/svm-node.ts'
import { operatorKeysCheck } from './operator-keys.ts'
import { anvilCheck } from './play/anvil.ts'
import { chainStateCheck } from './play/chain-state.ts'
import { loopbackCheck } from './play/loopback.ts'
import { simulatedCheck } from './play/simulated.ts'
import { simulatedSourceChecks } from './play/simulated-sources.ts'
import { geoblockCheck } from './prediction/geoblock.ts'
import { marketSocketCheck } from './prediction/market-socket.ts'
import { publicHostChecks } from './prediction/public-hosts.ts'
import { relayerCheck } from './prediction/relayer.ts'
import { tradingAccountCheck } from './prediction/trading-account.ts'
import { clockCheck } from './venues/clock.ts'
import { oracleCheck } from './venues/oracle.ts'
import { binanceRest, coinbaseRest, venueRestCheck } from './venues/venue-rest.ts'
import { binanceSocket, coinbaseSocket, venueSocketCheck } from './venues/venue-socket.ts'

export type CheckPorts = {
  config: Config
  clock: Clock
  timeoutMs: number
  openSocket: OpenSocket
  free: FreeBytes
}

/** Everything that the mode needs. What reads files stands first: it is done before any answer is waited for. */
export function listChecks(ports: CheckPorts): readonly Check[] {
  const { config, clock } = ports
  return [
    ...machineChecks(ports),
    operatorKeysCheck(config, clock),
    botSwitchesCheck(config),
    ...playChecks(config),
    ...moneyChecks(ports),
    ...(config.mode === 'sandbox'
      ? [simulatedCheck(), ...simulatedSourceChecks(config)]
      : outsideChecks(ports)),
  ]
}

const machineChecks = ({ config, clock, free }: CheckPorts): Check[] => [
  dataDirectoryCheck(config),
  privateFilesCheck(config.dataDir),
  ...(config.databaseUrl
    ? [databaseCheck(config, config.databaseUrl), durabilityCheck(config.databaseUrl)]
    : [ledgerCheck(config)]),
  ...(config.redisUrl ? [redisCheck(config.redisUrl, clock)] : []),
  ...(config.role === 'api' ? [enginesCheck(config.engineUrls)] : []),
  serviceKeyCheck(config),
  tokenKeysCheck(config.dataDir),
  backupsCheck(config, clock),
  diskCheck(config.dataDir, free),
  serviceCheck(config),
]

/** Where the service runs the chains itself. */
function playChecks(config: Config): Check[] {
  if (!isPlayMoney(config.mode)) return []
  return [loopbackCheck(), ...(hasOwnChains(config) ? [] : [anvilCheck(), chainStateCheck(config.dataDir)])]
}

function moneyChecks({ config, clock, timeoutMs }: CheckPorts): Check[] {
  const { chains, payTo, mode, facilitators } = config
  const node = { isLocal: isPlayMoney(mode), clock, timeoutMs }
  return [
    ...chains.evmRpcUrls.map((rpcUrl, at) =>
      evmNodeCheck({ ...node, name: numbered('base-node', at), rpcUrl, payTo: payTo.evm }),
    ),
    ...chains.svmRpcUrls.map((rpcUrl, at) =>
      svmNodeCheck({ ...node, name: numbered('solana-node', at), rpcUrl, payTo: payTo.svm }),
    ),
    // The chains that the service runs itself have a token, and are there only while it runs.
    ...(isPlayMoney(mode) && chains.evmRpcUrls.length === 0
      ? []
      : [projectTokenCheck({ config, clock, timeoutMs })]),
    ...facilitators.map((url, at) =>
      facilitatorCheck({ name: numbered('facilitator', at), url }, config, clock),
    ),
    ...(hasOwnChains(config) && facilitators.length === 0 ? [NO_FACILITATOR] : []),
  ]
}

/** The first is the preferred one. */
const numbered = (name: string, at: number) => (at === 0 ? name : `${name}-${at + 1}`)

const outsideChecks = (ports: CheckPorts): Check[] => [
  ...venueChecks(ports),
  ...predictionChecks(ports),
  ...intelligenceChecks(ports),
]

const venueChecks = ({ config, clock, timeoutMs, openSocket }: CheckPorts): Check[] => [
  clockCheck({ upstreams: config.upstreams, clock, timeoutMs }),
  venueRestCheck(binanceRest(config.upstreams), clock),
  venueSocketCheck(binanceSocket(config.upstreams), clock, openSocket),
  venueRestCheck(coinbaseRest(config.upstreams), clock),
  venueSocketCheck(coinbaseSocket(config.upstreams), clock, openSocket),
  oracleCheck(config, clock, openSocket),
]

const predictionChecks = ({ config, clock, openSocket }: CheckPorts): Check[] => [
  ...publicHostChecks(config, clock),
  marketSocketCheck(config.upstreams, openSocket),
  geoblockCheck(config),
  relayerCheck(config, clock),
  tradingAccountCheck(config, clock),
]

const intelligenceChecks = ({ config, clock, timeoutMs, openSocket }: CheckPorts): Check[] => [
  ...tokenChecks(config, timeoutMs),
  ...sentimentChecks(config, clock),
  ...futuresChecks(config.upstreams, clock, openSocket),
  ...whaleChecks(config, clock),
  ...directoryChecks(config),
  writerCheck(config),
]
