import { z } from 'zod'
import { Method } from '../method-link.ts'

/** A bundle has a page for each of the things in it that are computed. */
export function methodsFor<Name extends string>(links: Readonly<Record<Name, string>>) {
  const names = Object.keys(links) as Name[]
  return z
    .object(Object.fromEntries(names.map((name) => [name, Method])) as Record<Name, typeof Method>)
    .describe('Where it is written how each of them is computed: addresses of this service')
}
