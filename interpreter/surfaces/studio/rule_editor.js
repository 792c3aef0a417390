// The one script that is ours: the editor of NiceGUI, and three things that it cannot be told. It asks the studio what
// fits at the caret when CodeMirror wants to complete; a screen reader hears what it is called; and a text that comes
// along with other news, colours say, does not take away what somebody has typed since it was sent.
import codemirror from "codemirror"; // NiceGUI's
import { EditorState, EditorView } from "nicegui-codemirror";

export default {
  ...codemirror,
  props: { ...codemirror.props, label: String, written: Number },
  methods: {
    ...codemirror.methods,
    setupExtensions() {
      this.shown = this.written;
      let number = 0;
      const fits = ({ pos, explicit }) =>
        new Promise((answer) => {
          this.waiting?.answer(null); // for an older question
          this.waiting = { number: ++number, answer };
          this.$emit("fits", { number, at: pos, explicit });
        });
      return [
        ...codemirror.methods.setupExtensions.call(this),
        EditorState.languageData.of(() => [{ autocomplete: fits }]),
        EditorView.contentAttributes.of({ "aria-label": this.label }),
      ];
    },
    offer(number, found) {
      if (this.waiting?.number === number) this.waiting.answer(found);
    },
    setEditorValue(value) {
      if (this.shown === this.written) return;
      this.shown = this.written;
      codemirror.methods.setEditorValue.call(this, value);
    },
  },
};
