import { Button } from '@mantine/core';
import { useState } from 'react';

/** Copies a text to the clipboard, and says so once it is there. */
export function CopyButton({ text, label = 'Copy', name }: { text: string; label?: string; name?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Button size="xs" variant="default" aria-label={name} onClick={() => void copy()}>
      {copied ? 'Copied' : label}
    </Button>
  );
}
