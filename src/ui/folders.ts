/** Where the model folders are. */

/**
 * URL of the folder that holds `ar/` and `mdlm/`: the one named by the query parameter `models`, otherwise `fallback`.
 * Only this origin may be named, so that no link makes the page fetch from elsewhere.
 * @param href the page's URL
 * @param fallback path of the shipped models
 */
export function modelsFolder(href: string, fallback: string): { url: string; problem: string | null } {
  const page = new URL(href);
  const shipped = new URL(fallback, page).href;
  const wanted = page.searchParams.get('models');
  if (wanted === null) return { url: shipped, problem: null };
  const url = URL.parse(wanted, page);
  if (!url || url.origin !== page.origin) {
    return {
      url: shipped,
      problem: `Models are taken from this site only, not from "${wanted}"; the shipped pair is used.`,
    };
  }
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  return { url: page.origin + path, problem: null };
}
