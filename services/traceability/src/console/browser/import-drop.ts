// Makes the form of a file take one that is dropped on it, and says that the file is on its way.
const form = document.querySelector('form[data-drop]');

if (form instanceof HTMLFormElement) {
  const input = form.querySelector('input[type=file]');
  const status = form.querySelector('[data-status]');
  const button = form.querySelector('button[type=submit]');
  const mark = (isOver: boolean): void => void form.classList.toggle('over', isOver);

  form.addEventListener('dragover', (event) => {
    event.preventDefault();
    mark(true);
  });
  form.addEventListener('dragleave', () => mark(false));
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    mark(false);
    const files = event.dataTransfer?.files;
    if (!(input instanceof HTMLInputElement) || files === undefined || files.length === 0) return;
    input.files = files;
    form.requestSubmit();
  });
  form.addEventListener('submit', () => {
    if (status !== null) status.textContent = form.dataset['sending'] ?? '';
    if (button instanceof HTMLButtonElement) button.disabled = true;
  });
  // The browser shows the page again as it was left.
  window.addEventListener('pageshow', () => {
    if (status !== null) status.textContent = '';
    if (button instanceof HTMLButtonElement) button.disabled = false;
  });
}
