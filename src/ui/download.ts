/** Hands a text to the person as a file. */
export function download(text: string, name: string): void {
  downloadBlob(new Blob([text], { type: 'application/jsonl' }), name);
}

/** Hands a file to the person under this name. */
export function downloadBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
