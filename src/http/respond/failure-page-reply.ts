import type { IncomingMessage } from 'node:http'
import type { Site } from '../../catalog/site.ts'
import { type Failure, failurePage } from '../../pages/failure-page.ts'
import { PAGE_POLICY } from '../../pages/frame/shell.ts'
import { shownWords } from '../../pages/frame/shown-words.ts'
import { PROBLEM_TYPE } from '../headers.ts'
import { type Reply, textReply } from '../reply.ts'
import type { ValidationIssue } from '../request/validation.ts'
import { wantsPage } from '../request/wants-page.ts'

type Asked = { raw: IncomingMessage; id: string } & Pick<Failure, 'route' | 'nearest'>

/** A failure is told on a page to those who prefer one; status and headers stay. */
export function asFailurePage(reply: Reply, { raw, id, route, nearest }: Asked, site: Site): Reply {
  if (reply.status < 400 || reply.contentSecurityPolicy !== undefined) return reply
  if (!wantsPage(raw.headers)) return reply
  const problem = problemOf(reply)
  if (!problem) return reply
  const page = failurePage(site, { ...problem, status: reply.status, requestId: id, route, nearest })
  const headers = reply.headers.flatMap((text, at) =>
    at % 2 === 1 && reply.headers[at - 1] === 'Content-Type' ? ['text/html; charset=utf-8'] : [text],
  )
  return {
    ...reply,
    ...textReply(reply.status, page, headers),
    contentSecurityPolicy: PAGE_POLICY,
  }
}

/** Where a detail repeats words of the caller, it quotes them. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/g

type Problem = Pick<Failure, 'title' | 'detail' | 'hint' | 'faults'>

function problemOf({ status, headers, body }: Reply): Problem | undefined {
  // Of a HEAD that another process answered.
  if (body === '') return undefined
  if (headers.includes(PROBLEM_TYPE)) {
    const problem = JSON.parse(body) as Problem
    return { ...problem, detail: problem.detail.replace(QUOTED, (_, words) => `“${shownWords(words)}”`) }
  }
  if (status !== 422) return undefined
  const { detail: issues } = JSON.parse(body) as { detail: readonly ValidationIssue[] }
  const faults = issues.map(
    ({ loc, msg }) => `“${shownWords(loc.slice(1).join('.'))}”${/^[a-z]/.test(msg) ? '' : ':'} ${msg}`,
  )
  return { title: 'That address has something wrong in it', detail: 'correct it and open it again', faults }
}
