import type { Config } from '../../config/config.ts'
import type { PlayMoney } from '../../sandbox/play-money.ts'
import type { WorldFacts, WorldMoney, WorldVenues } from '../../sandbox/world/world-file.ts'
import type { OutsideWorld } from '../outside-world.ts'

type Input = {
  config: Config
  mode: WorldFacts['mode']
  id: string
  worldUrl: string
  facilitatorUrl: string | undefined
  world: OutsideWorld
  playMoney: PlayMoney | undefined
}

/** What other processes must know of a sandbox to use it. */
export function toWorldFacts(input: Input): WorldFacts {
  const { config, mode, id, worldUrl, world, playMoney, facilitatorUrl } = input
  return {
    version: 1,
    ...{ id, pid: process.pid, mode, world_url: worldUrl },
    ...(playMoney && facilitatorUrl && { money: moneyOf(playMoney, facilitatorUrl) }),
    ...(mode === 'sandbox' && { venues: venuesOf(world, config.sandboxSeed) }),
  }
}

function moneyOf({ payTo, rpc }: PlayMoney, facilitatorUrl: string): WorldMoney {
  return {
    pay_to: { svm: payTo.svm, ...(payTo.evm && { evm: payTo.evm }) },
    rpc: { evm: [...rpc.evm], svm: [...rpc.svm] },
    facilitator_url: facilitatorUrl,
  }
}

function venuesOf({ upstreams, oracleKeys, prediction }: OutsideWorld, seed: number): WorldVenues {
  return {
    seed,
    upstreams,
    oracle: {
      api_key: oracleKeys?.apiKey.reveal() ?? '',
      secret: oracleKeys?.secret.reveal() ?? '',
      passphrase: oracleKeys?.passphrase.reveal() ?? '',
    },
    ...(prediction && {
      prediction: {
        wallet: prediction.wallet,
        relayer: {
          api_key: prediction.relayerKey.apiKey.reveal(),
          address: prediction.relayerKey.address,
        },
      },
    }),
  }
}
