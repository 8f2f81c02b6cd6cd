import type { Config } from '../../config/config.ts'
import { findKeys } from '../../config/shown-address.ts'
import { redactorOf } from '../../upstreams/polymarket/redactor.ts'

/** Takes out whatever of the configuration must not be shown: others repeat what they were sent. */
export function redactConfig({ secrets }: Pick<Config, 'secrets'>): (text: string) => string {
  const hidden = secrets.flatMap((secret) => partsOf(secret.reveal()))
  return redactorOf(() => hidden)
}

function partsOf(text: string): string[] {
  const urls = text.split(',').map((part) => URL.parse(part.trim()))
  if (urls.some((url) => url === null || url.host === '')) return [text, text.replace(/^0x/, '')]
  return urls.flatMap((url) => (url ? hiddenIn(url) : []))
}

/** Keys of providers stand in their addresses; the path of a database is its name. */
const hiddenIn = (url: URL): string[] => [
  ...[url.password, decode(url.password), ...url.searchParams.values()],
  ...findKeys(url),
]

/** What is no encoding stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
