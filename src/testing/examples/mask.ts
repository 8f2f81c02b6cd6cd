import type { Site } from '../../catalog/site.ts'
import { noticeOf } from '../../discovery/about.ts'

/**
 * Keys and signatures of tokens are nobody's to see, be they worth nothing; every document has its own notice; and a
 * reader must not send money to who was paid when this was recorded.
 */
export function mask(value: unknown, site: Site, name = ''): unknown {
  if (typeof value === 'string') return maskText(value, site, name)
  if (Array.isArray(value)) return value.map((each) => mask(each, site, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mask(part, site, key)]))
}

function maskText(text: string, site: Site, name: string): string {
  if (name === 'private_key') return `0x${'0'.repeat(text.length - 2)}`
  if (name === 'secret_key') return '1'.repeat(text.length)
  if (name === 'pay_to') return text.startsWith('0x') ? `0x${'42'.repeat(20)}` : '1'.repeat(32)
  if (name === 'token' && text.split('.').length === 3) return text.replace(/[^.]+$/, 'signature')
  const notice = noticeOf(site)
  return text.replace(`${notice} `, '').replace(`\n\n${notice}`, '')
}
