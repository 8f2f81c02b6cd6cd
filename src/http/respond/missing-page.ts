import type { Route } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { ServiceError, statusOf } from '../../core/service-error.ts'
import { MARKDOWN } from '../../discovery/json-document.ts'
import { missingText } from '../../discovery/markdown/missing.ts'
import { NO_STORE } from '../headers.ts'
import { failureReply, type Reply, textReply } from '../reply.ts'
import { findAccepted } from '../request/accepted.ts'

const OFFERED = ['application/json', 'application/problem+json', MARKDOWN]
const TYPE = `${MARKDOWN}; charset=utf-8`

/** An address without a page, told as the caller reads: the status is 404 either way. */
export function missingPageReply(
  site: Site,
  error: ServiceError,
  { id, accept }: { id: string; accept: string | undefined },
): Reply {
  const { code, message, hint } = error
  const wantsMarkdown = findAccepted(OFFERED, accept) === MARKDOWN
  const reply = wantsMarkdown
    ? textReply(statusOf(code), missingText(site, message, hint), [
        'Content-Type',
        TYPE,
        'Cache-Control',
        NO_STORE,
      ])
    : failureReply(error, id)
  return { ...reply, headers: [...reply.headers, 'Vary', 'Accept'], code }
}

/** Products tell what they do not have in JSON, as all that they tell. */
export function isMissingPage(error: unknown, route: Route | undefined): error is ServiceError {
  const isPage = route === undefined || route.endpoint.kind === 'document_set'
  return isPage && error instanceof ServiceError && error.code === 'not_found'
}
