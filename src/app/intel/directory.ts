import type { Upstreams } from '../../config/providers.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createDirectory, type DirectoryFeed } from '../../intel/directory/directory.ts'
import { createBazaar } from '../../upstreams/bazaar/client.ts'
import { createEcosystem } from '../../upstreams/ecosystem/client.ts'
import type { Hosts } from '../upstream-hosts.ts'

type Ports = {
  hosts: Pick<Hosts, 'open'>
  upstreams: Pick<Upstreams, 'BAZAAR' | 'ECOSYSTEM' | 'ECOSYSTEM_RAW'>
  clock: Clock
  /** Replaced in tests only. */
  random?: () => number
}

export type OpenDirectory = { directory: DirectoryFeed; start(): Promise<void>; stop(): void }

export function openDirectory({ hosts, upstreams, clock, random = Math.random }: Ports): OpenDirectory {
  const directory = createDirectory({
    bazaar: createBazaar(hosts.open('bazaar', upstreams.BAZAAR)),
    ecosystem: createEcosystem(
      hosts.open('ecosystem', upstreams.ECOSYSTEM),
      hosts.open('ecosystem', upstreams.ECOSYSTEM_RAW),
    ),
    clock,
    random,
  })
  return { directory, start: directory.start, stop: directory.stop }
}
