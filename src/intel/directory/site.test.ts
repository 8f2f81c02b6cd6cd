import { expect, it } from 'vitest'
import { siteOf } from './site.ts'

it.each([
  ['evil.com', 'evil.com'],
  ['weather.n1.evil.com', 'evil.com'],
  ['weather.n1.evil.com:8443', 'evil.com'],
  ['a.b.co.uk', 'b.co.uk'],
  ['b.co.uk', 'b.co.uk'],
  ['a.vercel.app', 'a.vercel.app'],
  ['x.a.vercel.app', 'a.vercel.app'],
  ['a.b.workers.dev', 'b.workers.dev'],
  ['someone.github.io', 'someone.github.io'],
  ['svc.up.railway.app', 'svc.up.railway.app'],
  ['svc-x.a.run.app', 'svc-x.a.run.app'],
  ['93.184.216.34', '93.184.216.34'],
  ['93.184.216.34:81', '93.184.216.34'],
  ['[2606:2800::1]:81', '[2606:2800::1]'],
])('%s belongs to %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})
