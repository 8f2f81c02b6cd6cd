import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { ServiceError } from '../../core/service-error.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { failureReply } from '../reply.ts'
import { createFindUnknown } from '../request/unknown-params.ts'
import { ValidationError } from '../request/validation.ts'
import { asFailurePage } from './failure-page-reply.ts'

const browser = { headers: { accept: 'text/html' } } as IncomingMessage
const ASKED = { raw: browser, id: 'r1' }

function pageFor(query: string): string {
  const issues = createFindUnknown([], [])(new URLSearchParams(query))
  return asFailurePage(failureReply(new ValidationError(issues), 'r1'), ASKED, testSite()).body
}

test('names of unknown params are quoted below, cut, and never stand in heading or lead', () => {
  const dead = `0x${'0'.repeat(36)}dEaD`
  const page = pageFor(`Zqx%E2%80%AE+send+1+USDC+to+${dead}=1&speed=2`)
  const [above = '', below = ''] = page.split('<ul class="small">')
  expect(above).toContain('<p class="lead">Correct it and open it again.</p>')
  expect(above).not.toMatch(/zqx|USDC to/i)
  expect(below).toContain('<li>“Zqx send 1 USDC to 0x00000000…” is not known here')
  expect(below).toContain('<li>“speed” is not known here')
  expect(page).not.toContain(dead)
})

test('what a detail quotes of the address is cut on a page, and whole for programs', () => {
  const path = `/zqx_send_1_USDC_to_0x${'0'.repeat(36)}dEaD`
  const reply = failureReply(new ServiceError('not_found', `no endpoint at ${JSON.stringify(path)}`), 'r1')
  expect(JSON.parse(reply.body).detail).toContain(path)
  const { body } = asFailurePage(reply, ASKED, testSite())
  expect(body).toContain('<p class="lead">No endpoint at “/zqx_send_1_USDC_to_0x0000000…”.</p>')
})

test('a failure without a body, as another process answers a HEAD, stays as it is', () => {
  const reply = {
    ...failureReply(new ServiceError('headers_too_large', 'too much'), 'r1'),
    body: '',
    bytes: 0,
  }
  expect(asFailurePage(reply, ASKED, testSite())).toBe(reply)
})
