import type { Site } from '../../catalog/site.ts'
import { ServiceError } from '../../core/service-error.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
/** Throws for a request that a page of another site sent, or that was led here by a name that is not ours. */
export type CheckHost = (headers: Headers) => void

/**
 * A page whose name suddenly leads to this machine (DNS rebinding) sends its own name as `Host`. Loopback names are no
 * such names, and a proxy beside the service may send them. `Origin` is sent by browsers only: in the sandbox pages of
 * this machine, such as inspectors, may call; otherwise only our own, by whichever of our names the visitor came.
 */
export function createCheckHost({ baseUrl, mode }: Pick<Site, 'baseUrl' | 'mode'>): CheckHost {
  const own = new URL(baseUrl)
  const isOwnHost = (host: string) => {
    const named = URL.parse(`http://${host}`)
    return named !== null && (named.hostname === own.hostname || isLoopback(named.hostname))
  }
  const isOwnOrigin = (origin: string, host: string) => {
    const named = URL.parse(origin)
    if (named === null) return false
    const isOurs = named.origin === own.origin || named.host === URL.parse(`${named.protocol}//${host}`)?.host
    return isOurs || (mode === 'sandbox' && isLoopback(named.hostname))
  }
  return ({ host, origin }) => {
    if (typeof host !== 'string' || !isOwnHost(host)) throw foreign('this service has another name')
    if (origin !== undefined && !isOwnOrigin(String(origin), host))
      throw foreign('pages of other origins may not call this address')
  }
}

const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

const foreign = (message: string) => new ServiceError('foreign_origin', message)
