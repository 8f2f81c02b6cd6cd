/**
 * `node scripts/lay-out-image.ts <folder>` makes what the Dockerfile makes, as a folder, without a container engine, and
 * prints how to start it as variables of bash. `.ci/image` uses it.
 */
import { fileURLToPath } from 'node:url'
import { layOutImage } from '../src/testing/deploy/lay-out-image.ts'

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const list = (name: string, words: readonly string[]) => `${name}=(${words.map(quote).join(' ')})`

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('name a folder')
// What npm says goes to stderr: stdout is read by a shell.
const { root, workdir, user, env, start, health } = layOutImage(
  fileURLToPath(new URL('..', import.meta.url)),
  target,
)
const lines = [
  `image_root=${quote(root)}`,
  `image_workdir=${quote(workdir)}`,
  `image_user=${quote(user)}`,
  list(
    'image_env',
    Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ),
  list('image_start', start),
  list('image_health', health),
]
process.stdout.write(`${lines.join('\n')}\n`)
