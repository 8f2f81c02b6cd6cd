// One connection to the stream for as long as somebody looks.

/** A tab that nobody sees for this long costs nobody anything. */
const HIDDEN_MS = 60_000
/** After a refusal the browser does not try again by itself; so many pages do not try at the same moment. */
const AGAIN_MS = { least: 3_000, spread: 4_000 }
/** There is an event every second: a line that is silent for this long is dead. */
const SILENT_MS = 20_000

/**
 * Connects again by itself after the server was away.
 * @param {{ address: string, say(text: string, tone: string): void, take(event: any): void }} ports
 */
export function follow({ address, say, take }) {
  let source
  let again
  let silent
  let hidden
  const close = () => {
    clearTimeout(again)
    clearTimeout(silent)
    source?.close()
    source = undefined
  }
  const retry = () => {
    close()
    say('Reconnecting …', 'warn')
    again = setTimeout(open, AGAIN_MS.least + Math.random() * AGAIN_MS.spread)
  }
  const heard = () => {
    clearTimeout(silent)
    silent = setTimeout(retry, SILENT_MS)
  }
  const open = () => {
    close()
    source = new EventSource(address)
    heard()
    source.addEventListener('message', ({ data }) => {
      heard()
      take(JSON.parse(data))
      say('Live', 'good')
    })
    source.addEventListener('error', retry)
  }
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden)
    if (document.hidden)
      hidden = setTimeout(() => {
        close()
        say('Paused while nobody looks', 'warn')
      }, HIDDEN_MS)
    else if (!source) open()
  })
  say('Connecting …', 'warn')
  open()
}
