/**
 * Says what has happened in a live region. What it says already is not written again: it would be read aloud again.
 * @param {HTMLElement} region
 */
export const createSay =
  (region) =>
  /** @param {string} text @param {string} [tone] */
  (text, tone = 'busy') => {
    if (region.textContent !== text) region.textContent = text
    region.dataset.tone = tone
  }
