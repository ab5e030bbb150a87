import { type DragEvent, useCallback, useEffect, useRef, useState } from 'react';
import { UPLOAD_EXTENSIONS } from '../../../models/contracts/files.ts';
import type { FileWords } from '../../agents/agent.ts';
import { textOf } from '../../data/call.ts';
import { faultOf, upload } from '../../data/chat.ts';
import { showFailure } from '../../data/toasts.ts';

export type Uploading = ReturnType<typeof useUpload>;

/** Choosing, dropping and uploading files; checks them first (docs/spec-coverage.md, S1 section 5). */
export function useUpload(words: FileWords | undefined) {
  const [busy, setBusy] = useState(false);
  const [dragging, setDragging] = useState(false);
  const depth = useRef(0);
  const input = useRef<HTMLInputElement | null>(null);

  const take = useCallback(
    async (files: readonly File[]) => {
      const fault = files.length === 0 ? faultOf(null, words?.none) : files.map((file) => faultOf(file)).find(Boolean);
      if (fault) {
        showFailure(fault.title, fault.message);
        return;
      }
      setBusy(true);
      for (const file of files) {
        try {
          // The chat and the list of files show what it was recognised as.
          await upload(file);
        } catch (error) {
          showFailure('Upload failed', textOf(error, 'Failed to upload file. Please try again.'));
        }
      }
      setBusy(false);
    },
    [words],
  );

  // One hidden file input, opened from several places.
  useEffect(() => {
    const element = document.createElement('input');
    element.type = 'file';
    element.multiple = true;
    element.accept = UPLOAD_EXTENSIONS;
    element.hidden = true;
    element.setAttribute('aria-label', words?.choose ?? 'File');
    element.dataset.testid = 'file';
    const chosen = () => {
      void take([...(element.files ?? [])]);
      element.value = '';
    };
    element.addEventListener('change', chosen);
    document.body.append(element);
    input.current = element;
    return () => element.remove();
  }, [take, words]);

  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const dropTarget = {
    onDragEnter: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current += 1;
      setDragging(true);
    },
    onDragOver: (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    },
    onDragLeave: () => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setDragging(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setDragging(false);
      void take([...event.dataTransfer.files]);
    },
  };
  return { busy, dragging, dropTarget, choose: () => input.current?.click() };
}
