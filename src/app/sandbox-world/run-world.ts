import { randomUUID } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import { serveFacilitator } from '../../sandbox/facilitator/serve-facilitator.ts'
import { findFreePort } from '../../sandbox/free-port.ts'
import { openPlayMoney, type PlayMoney } from '../../sandbox/play-money.ts'
import { openPlaces, type Places, type Ports, savePlaces } from '../../sandbox/world/places.ts'
import { removeWorldFile, type WorldFacts, writeWorldFile } from '../../sandbox/world/world-file.ts'
import { serveWorld } from '../../sandbox/world/world-server.ts'
import { type OutsideWorld, openOwnWorld } from '../outside-world.ts'
import { openPaymentRails } from '../payment-rails.ts'
import { refuseDirectory } from './refuse-directory.ts'
import { refuseMode } from './refuse-mode.ts'
import { toWorldFacts } from './world-facts.ts'

type Stops = (() => Promise<void> | void)[]
type Input = { config: Config; clock: Clock; log: Log }

export type SandboxWorld = {
  facts: WorldFacts
  close(): Promise<void>
}

/** The sandbox in a process of its own, for the processes of its data directory. Closed in reverse order. */
export async function runSandboxWorld(input: Input): Promise<SandboxWorld> {
  const stops: Stops = []
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    return { facts: await open(input, stops), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(input: Input, stops: Stops): Promise<WorldFacts> {
  const { config, log } = input
  const { dataDir } = config
  const mode = refuseMode(config)
  refuseDirectory(dataDir)
  stops.push(holdServiceLock(dataDir).release)
  // Of a run that was killed: nobody may join before all of it runs again.
  removeWorldFile(dataDir)
  const places = await openPlaces(dataDir)
  const { world, playMoney } = await openWorld(input, places)
  stops.push(world.close)
  const servers = await serve(places.ports, { world, playMoney }, stops)
  const facts = toWorldFacts({ ...servers, config, mode, world, playMoney })
  keepPlaces(dataDir, places, facts, log)
  writeWorldFile(dataDir, facts)
  stops.push(() => removeWorldFile(dataDir))
  return facts
}

async function openWorld({ config, clock, log }: Input, places: Places) {
  const opened: { playMoney?: PlayMoney } = {}
  const openPlay = async () => {
    opened.playMoney = await openPlayMoney(config.dataDir, clock, log, places.ports)
    return opened.playMoney
  }
  const openMoney = () => openPaymentRails(config, clock, log, openPlay)
  const world = await openOwnWorld({ config, clock, log, openMoney, places })
  return { world, playMoney: opened.playMoney }
}

type Opened = { world: OutsideWorld; playMoney: PlayMoney | undefined }

async function serve(ports: Ports, { world, playMoney }: Opened, stops: Stops) {
  const id = randomUUID()
  const facilitator =
    playMoney &&
    (await serveFacilitator(playMoney.facilitator, {
      port: await findFreePort(ports.facilitator),
      isShared: true,
    }))
  if (facilitator) stops.push(facilitator.close)
  const port = await findFreePort(ports.world)
  const door = await serveWorld({ port, id, wallets: world.money.wallets })
  stops.push(door.close)
  return { id, worldUrl: door.url, facilitatorUrl: facilitator?.url }
}

/** A port that somebody else has taken meanwhile is given up for good, and those who know it must hear of the new one. */
function keepPlaces(dataDir: string, places: Places, facts: WorldFacts, log: Log): void {
  const { world_url, money, venues } = facts
  const portOf = (url: string | undefined, kept: number) =>
    url === undefined ? kept : Number(new URL(url).port)
  const ports: Ports = {
    world: portOf(world_url, places.ports.world),
    facilitator: portOf(money?.facilitator_url, places.ports.facilitator),
    evm: portOf(money?.rpc.evm[0], places.ports.evm),
    svm: portOf(money?.rpc.svm[0], places.ports.svm),
    internet: portOf(venues?.upstreams.BINANCE, places.ports.internet),
  }
  const names = Object.keys(ports) as (keyof Ports)[]
  const moved = names.filter((name) => ports[name] !== places.ports[name])
  if (moved.length === 0) return
  log.warn({ moved }, 'ports of the sandbox were taken: start the processes that use it again')
  savePlaces(dataDir, { ...places, ports })
}
