import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Clone, Environment } from '../clone.ts'
import { type Service, startService } from '../service.ts'
import type { Step } from '../step.ts'

/** The stand-ins for the venues that the tests use, in a process of their own until its stdin ends. */
const VENUES = `
  const { openVenues } = await import('./src/testing/venues.ts')
  const venues = await openVenues()
  console.log(JSON.stringify(venues.env))
  process.stdin.resume().on('end', () => process.exit())
`

export const paperSteps: Step[] = [
  {
    item: 9,
    says: 'paper mode is paid with play money on both chains, and says so',
    walk: ({ clone }) =>
      inPaperMode(clone, async (paper) => {
        for (const network of ['base', 'solana']) {
          const bought = await clone.tollbook(['buy', '/signals', '--network', network, '--url', paper.url])
          assert.equal(bought.code, 0, bought.err)
          assert.match(bought.out, /^settled/m)
        }
        const reply = await paper.get('/signals?demo=0')
        assert.deepEqual([reply.status, reply.headers.get('x-tollbook-mode')], [402, 'paper'])
        assert.match(await reply.text(), /play money/i)
        assert.match(await (await paper.get('/llms.txt')).text(), /play money/i)
        return 'bought on base and on solana'
      }),
  },
  {
    item: 13,
    says: 'the example of the README runs with one command',
    async walk({ clone, sandbox }) {
      const { code, out, err, seconds } = await clone.run('npm', [
        'run',
        '--silent',
        'example',
        '--',
        sandbox.url,
      ])
      assert.equal(code, 0, err)
      assert.match(out, /paid in transaction 0x/)
      return `${out.trim().slice(0, 60)}…, ${seconds.toFixed(1)} s`
    },
  },
  {
    item: 13,
    says: 'the paywall names product and coin and offers a throw-away wallet',
    async walk({ sandbox }) {
      const page = await sandbox.get('/price/ETH?demo=0', {
        headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
      })
      const html = await page.text()
      assert.equal(page.status, 402)
      const title = /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? ''
      assert.match(title, /ETH/)
      assert.match(html, /throw-away wallet/)
      assert.match(html, /You asked for the price/)
      return title
    },
  },
]

async function inPaperMode(clone: Clone, work: (paper: Service) => Promise<string>): Promise<string> {
  const node = join(clone.dir, 'node_modules/.bin/node')
  const venues = spawn(node, ['--input-type=module', '-e', VENUES], { cwd: clone.dir, env: clone.env() })
  try {
    const [line] = await once(createInterface(venues.stdout), 'line')
    const env: Environment = {
      ...JSON.parse(line),
      TOLLBOOK_MODE: 'paper',
      TOLLBOOK_DATA_DIR: clone.folder('paper'),
    }
    const paper = await startService(clone, { env })
    try {
      return await work(paper)
    } finally {
      await paper.stop()
    }
  } finally {
    venues.stdin.end()
  }
}
