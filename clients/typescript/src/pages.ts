/** What a list that comes in pages is asked with, and answers. */
interface Ask {
  pageSize: number;
  pageToken: string;
}
interface Page {
  nextPageToken: string;
}

const size = 100;

/**
 * pages yields all of a list, one answer for each page, and asks for the next only when it is
 * wanted: `for await (const { matches } of pages((page) => ante.listMatches({ booked: true, ...page
 * })))`.
 */
export async function* pages<P extends Page>(list: (page: Ask) => Promise<P>, pageSize = size): AsyncGenerator<P, void, undefined> {
  for (let pageToken = ""; ; ) {
    const page = await list({ pageSize, pageToken });
    yield page;
    pageToken = page.nextPageToken;
    if (!pageToken) return;
  }
}
